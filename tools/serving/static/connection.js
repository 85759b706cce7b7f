// The connection to the server: numbered questions, answers, and news without a number.

const REFUSED = 4401;
const SLOWEST = 5000; // Milliseconds between two attempts to connect.

export class Connection {
  constructor(token, handlers) {
    this.token = token;
    this.handlers = handlers; // connected, lost, refused, news
    this.waiting = new Map();
    this.number = 0;
    this.delay = 250;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket.addEventListener("open", () => {
      this.socket.send(JSON.stringify({ token: this.token }));
      this.delay = 250;
      this.handlers.connected();
    });
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => this.close(event.code));
  }

  receive(message) {
    if (!("re" in message)) {
      this.handlers.news(message);
      return;
    }
    const question = this.waiting.get(message.re);
    this.waiting.delete(message.re);
    if (!question) return;
    if ("error" in message) question.reject(new Error(message.error));
    else question.resolve(message);
  }

  close(code) {
    for (const question of this.waiting.values()) question.reject(new Error("closed"));
    this.waiting.clear();
    if (code === REFUSED) {
      this.handlers.refused();
      return;
    }
    this.handlers.lost();
    setTimeout(() => this.connect(), this.delay);
    this.delay = Math.min(2 * this.delay, SLOWEST);
  }

  ask(command, values = {}) {
    this.number += 1;
    const id = this.number;
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new Error("closed"));
        return;
      }
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, do: command, ...values }));
    });
  }
}
