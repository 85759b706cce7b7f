"""Records of Go: SGF, and the formats GIB, NGF and UGF of Go servers, which are read as SGF."""
