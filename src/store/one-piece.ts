/** A response in one piece. */
export async function* onePiece(text: string): AsyncIterable<string> {
  yield text
}
