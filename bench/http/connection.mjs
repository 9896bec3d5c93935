import { connect } from 'node:net';
import { ResponseReader } from './response-reader.mjs';

/** All connections read into one buffer: what came is used up before the next read. */
const READ_BUFFER = Buffer.allocUnsafe(262_144);

/** A keep-alive HTTP/1.1 connection with one request at a time. */
export class Connection {
  #address;
  #socket = null;
  #reader = new ResponseReader();
  #settle = null;

  /** @param {URL} url */
  constructor(url) {
    this.#address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) };
  }

  /** Keep the bodies of answers. */
  set collect(value) {
    this.#reader.collect = value;
  }

  /** @returns {Promise<void>} */
  open() {
    return new Promise((resolve, reject) => {
      const onread = {
        buffer: READ_BUFFER,
        callback: (length, buffer) => this.#read(buffer.subarray(0, length)),
      };
      this.#socket = connect({ ...this.#address, noDelay: true, onread }, resolve);
      this.#socket.on('error', (error) => {
        reject(error);
        this.#fail(error);
      });
      this.#socket.once('close', () => this.#fail(new Error('The server closed the connection')));
    });
  }

  /**
   * Sends a request; opens the connection again if it was lost.
   *
   * @param {Buffer} request Head and body
   * @param {(error: Error | null, answer?: import('./response-reader.mjs').Answer) => void} settle
   */
  send(request, settle) {
    this.#settle = settle;
    if (this.#socket) {
      this.#socket.write(request);
      return;
    }
    this.open().then(
      () => this.#socket?.write(request),
      () => undefined,
    );
  }

  close() {
    this.#settle = null;
    this.#drop();
  }

  #read(bytes) {
    try {
      const answer = this.#reader.feed(bytes);
      if (answer) this.#answered(answer);
    } catch (error) {
      this.#fail(error);
    }
    return true;
  }

  #answered(answer) {
    if (!answer.keepAlive) this.#drop();
    const settle = this.#settle;
    this.#settle = null;
    settle?.(null, answer);
  }

  #fail(error) {
    this.#drop();
    const settle = this.#settle;
    this.#settle = null;
    settle?.(error);
  }

  #drop() {
    const { collect } = this.#reader;
    this.#socket?.removeAllListeners('close').destroy();
    this.#socket = null;
    this.#reader = new ResponseReader();
    this.#reader.collect = collect;
  }
}
