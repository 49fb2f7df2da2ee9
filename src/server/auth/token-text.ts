import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Parts of a token `plumb_ID_SECRET`: the id finds the stored record and is not secret. The prefix
 * lets secret scanners recognize leaked tokens.
 */
export interface TokenParts {
  readonly id: string
  readonly secret: string
}

/** Salted digest that verifies a secret without revealing it. Digest and salt are hexadecimal. */
export interface SecretDigest {
  readonly salt: string
  readonly digest: string
}

const bytes = { id: 8, secret: 32, salt: 16 }
const form = /^plumb_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/

/** Creates a token. Its secret has 256 random bits, so a fast digest is sufficient. */
export function createToken(): TokenParts & { readonly text: string } {
  const id = randomBytes(bytes.id).toString('hex')
  const secret = randomBytes(bytes.secret).toString('base64url')
  return { id, secret, text: `plumb_${id}_${secret}` }
}

/** The parts of a token; `undefined` if the text is malformed. */
export function parseTokenText(text: string): TokenParts | undefined {
  const [, id, secret] = form.exec(text) ?? []
  return id === undefined || secret === undefined ? undefined : { id, secret }
}

/** Digest of a secret, with a new salt unless one is given. */
export function computeSecretDigest(secret: string, salt = randomBytes(bytes.salt).toString('hex')): SecretDigest {
  return { salt, digest: createHmac('sha256', salt).update(secret).digest('hex') }
}

/** Returns true if the digest matches the secret; runs in constant time. */
export function isMatchingSecret(secret: string, { salt, digest }: SecretDigest): boolean {
  return timingSafeEqual(Buffer.from(computeSecretDigest(secret, salt).digest), Buffer.from(digest))
}
