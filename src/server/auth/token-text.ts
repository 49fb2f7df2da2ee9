import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * A token in its parts, written `plumb_ID_SECRET`: the id finds its record and is no secret; the secret proves it. The word
 * in front lets programs that look for leaked secrets find it.
 */
export interface TokenParts {
  readonly id: string
  readonly secret: string
}

/** The kept trace of a secret: enough to know it again, and not to tell it. Both in hexadecimal. */
export interface SecretDigest {
  readonly salt: string
  readonly digest: string
}

const bytes = { id: 8, secret: 32, salt: 16 }
const form = /^plumb_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

/** A new token: 256 random bits, so that a digest of them needs no slowness. */
export function newToken(): TokenParts & { readonly text: string } {
  const id = randomBytes(bytes.id).toString('hex')
  const secret = randomBytes(bytes.secret).toString('base64url')
  return { id, secret, text: `plumb_${id}_${secret}` }
}

/** The parts of a token's text; `undefined` of what has not its form. */
export function tokenParts(text: string): TokenParts | undefined {
  const [, id, secret] = form.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** The digest of a secret, under a new salt or a given one. */
export function digestOf(secret: string, salt = randomBytes(bytes.salt).toString('hex')): SecretDigest {
  return { salt, digest: createHmac('sha256', salt).update(secret).digest('hex') }
}

/** True for the secret that a digest is of; takes as long for any other. */
export function isSecretOf(secret: string, { salt, digest }: SecretDigest): boolean {
  return timingSafeEqual(Buffer.from(digestOf(secret, salt).digest), Buffer.from(digest))
}
