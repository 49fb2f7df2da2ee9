/** Verifies a token: returns its name and scopes, or `undefined` if it is invalid. */
export interface TokenVerifier {
  verify(token: string): Promise<{ readonly name: string; readonly scopes: readonly string[] } | undefined>
}
