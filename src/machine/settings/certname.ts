/** Certnames that can be signed and used as file names: lower case, no slash, no leading dot or dash. */
const certname = /^[a-z0-9_][a-z0-9._-]{0,250}$/

/** True for a valid certname, which is also safe as a file name. */
export function isCertname(name: string): boolean {
  return certname.test(name)
}
