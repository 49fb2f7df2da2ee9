import { Readable } from 'node:stream'

/** Content of a file: bytes that others may hold too, or a stream, which has to be read or destroyed. */
export type Content = Buffer | Readable

/** All the bytes. */
export async function wholeContent(content: Content): Promise<Buffer> {
  return content instanceof Readable ? Buffer.concat(await content.toArray()) : content
}

/** The bytes as they come. */
export function contentParts(content: Content): AsyncIterable<Buffer> | readonly Buffer[] {
  return content instanceof Readable ? content : [content]
}

/** The end of content that nobody reads. */
export function discardContent(content: Content): void {
  if (content instanceof Readable) content.destroy()
}
