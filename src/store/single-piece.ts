/** Yields a text as a response in one piece. */
export async function* streamSinglePiece(text: string): AsyncIterable<string> {
  yield text
}
