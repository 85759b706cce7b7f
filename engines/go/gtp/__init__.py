"""The GTP commands of `quintet-go`, including the extensions that its clients use."""
