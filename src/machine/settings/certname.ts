/** A certname that may be signed and may be the name of a file: lower case, no slash, no leading dot or dash. */
const certname = /^[a-z0-9_][a-z0-9._-]{0,250}$/

/** True of a name that may be asked for and may name a file. */
export function isCertname(name: string): boolean {
  return certname.test(name)
}
