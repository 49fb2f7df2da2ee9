import { Readable } from 'node:stream'

/** Content of a file: a Buffer, which may be shared, or a stream, which the recipient must read or destroy. */
export type Content = Buffer | Readable

/** Reads the content into memory. */
export async function readContent(content: Content): Promise<Buffer> {
  return content instanceof Readable ? Buffer.concat(await content.toArray()) : content
}

/** Iterates over the content in parts. */
export function iterateContent(content: Content): AsyncIterable<Buffer> | readonly Buffer[] {
  return content instanceof Readable ? content : [content]
}

/** Destroys the stream of unused content. */
export function discardContent(content: Content): void {
  if (content instanceof Readable) content.destroy()
}
