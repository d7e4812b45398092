// Interfaces of browsers that the type checker of Debian 12 does not know.
declare class DecompressionStream {
  constructor(format: "deflate-raw");
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array;
}
