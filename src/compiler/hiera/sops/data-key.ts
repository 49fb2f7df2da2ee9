import { PuppetError, throwIssue } from '../../../base/issue.ts'
import { encodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { decodeAgeArmor } from '../age/age-armor.ts'
import { type AgeAttempts, createAgeAttempts, decryptAgeFile } from '../age/age-file.ts'
import { type AgeIdentity, parseAgeIdentities } from '../age/age-identities.ts'
import { createGpgTime, decryptWithGpg, type GpgTime } from '../secrets/gpg.ts'
import { failUnreadable, type KeyFile, readKeyBytes } from '../secrets/key-files.ts'
import { sopsIssues } from './issues.ts'
import type { KeyGroup, SopsMetadata } from './metadata.ts'
import type { RemoteKey } from './remote-keys.ts'
import { combineShares } from './shamir.ts'

/** The keys of the server that a level may use. */
export interface SopsKeys {
  readonly ageFiles: readonly KeyFile[]
  readonly gpgHome: KeyFile | undefined
  /** Asks the service of a recipient for the decrypted data key. Throws SOPS_SERVICE. */
  readonly askService?: ((key: RemoteKey) => Buffer) | undefined
}

const dataKeyBytes = 32

/**
 * Decrypts the data key of a file with the first recipient that the server has a key for: age, then PGP, then services,
 * as SOPS does. Throws SOPS_NO_KEY, SOPS_LOCKED, SOPS_SHARES.
 */
export function decryptDataKey({ groups, threshold }: SopsMetadata, keys: SopsKeys): Buffer {
  const hasService = keys.askService && groups.some(({ remote }) => remote.length > 0)
  if (keys.ageFiles.length === 0 && !keys.gpgHome && !hasService) throwIssue(sopsIssues.SOPS_NO_KEY, {})
  const opening: Opening = {
    identities: keys.ageFiles.flatMap(readIdentities),
    gpgHome: keys.gpgHome,
    askService: keys.askService,
    attempts: createAgeAttempts(),
    time: createGpgTime(),
    reasons: [],
  }
  const { reasons } = opening
  const shares = groups.flatMap((group) => openGroup(group, opening) ?? [])
  if (groups.length > 1 && shares.length > 0 && shares.length < threshold)
    return throwIssue(sopsIssues.SOPS_SHARES, { found: shares.length, threshold })
  const key = groups.length > 1 ? combineShares(shares) : shares[0]
  if (key?.length === dataKeyBytes) return key
  if (shares.length > 0) reasons.push('the decrypted data key is malformed')
  return throwIssue(sopsIssues.SOPS_LOCKED, { reasons: [...new Set(reasons)].slice(0, 5) })
}

/** The keys for one file, the limits of their use, and the reasons why keys do not fit. */
interface Opening {
  readonly identities: readonly AgeIdentity[]
  readonly gpgHome: KeyFile | undefined
  readonly askService: SopsKeys['askService']
  readonly attempts: AgeAttempts
  readonly time: GpgTime
  readonly reasons: string[]
}

function readIdentities(file: KeyFile): readonly AgeIdentity[] {
  const text = readKeyBytes(file).toString('utf8')
  try {
    return parseAgeIdentities(text)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return failUnreadable(file, error.diagnostic.message)
  }
}

/** Decrypts the part of a group. Adds the reasons to `reasons` if no key fits. */
function openGroup(
  { age, pgp, remote, others }: KeyGroup,
  { identities, gpgHome, askService, attempts, time, reasons }: Opening,
): Buffer | undefined {
  const ways = [
    ...(identities.length > 0
      ? age.map((text) => () => decryptAgeFile(decodeAgeArmor(text), identities, attempts))
      : []),
    ...(gpgHome ? pgp.map((text) => () => encodeLosslessUtf8(decryptWithGpg(Buffer.from(text), gpgHome, time))) : []),
    ...(askService ? remote.map((key) => () => askService(key)) : []),
  ]
  for (const open of ways)
    try {
      return open()
    } catch (error) {
      if (!(error instanceof PuppetError)) throw error
      reasons.push(error.diagnostic.message)
    }
  if (ways.length === 0) reasons.push(describeRecipients({ age, pgp, remote, others }))
  return undefined
}

function describeRecipients({ age, pgp, remote, others }: KeyGroup): string {
  const named = [...(age.length > 0 ? ['age'] : []), ...(pgp.length > 0 ? ['pgp'] : [])]
  const kinds = [...new Set([...named, ...remote.map(({ kind }) => kind), ...others])]
  return `the level has no key for its recipients (${kinds.join(', ')})`
}
