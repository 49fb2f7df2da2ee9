/** Who a token of an administrator's is of, and what it may do. */
export interface TokenVerifier {
  verify(token: string): Promise<{ readonly name: string; readonly scopes: readonly string[] } | undefined>
}
