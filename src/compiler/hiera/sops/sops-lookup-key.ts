import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../../base/budgets/budgets.ts'
import { createDiagnostic, isCatalogIssue, isIssue, PuppetError } from '../../../base/issue.ts'
import { defineFunction } from '../../../language/functions/definition/define-function.ts'
import type { EvaluationHost } from '../../../language/host.ts'
import type { Hash } from '../../../language/values/hash.ts'
import { failWithoutLocation, VerbatimError } from '../../../language/values/verbatim-error.ts'
import { requirePath } from '../data-files.ts'
import { hieraIssues } from '../issues.ts'
import type { FunctionData, FunctionOperations, LookupContext } from '../lookup-context.ts'
import { decryptUnlessFailed } from '../secrets/decryption-failures.ts'
import { getKeyState } from '../secrets/key-files.ts'
import { listTexts, locateGpgHome } from '../secrets/key-options.ts'
import type { SopsKeys } from './data-key.ts'
import { sopsIssues } from './issues.ts'
import { askDataKey, isAnswered, readCredentials } from './remote-data-key.ts'
import type { RemoteKey } from './remote-keys.ts'
import { decryptSopsFile, parseSopsFile } from './sops-file.ts'

/** The function `sops_lookup_key` for `lookup_key:`, which hierarchy levels and data functions call. */
export const sopsLookupKey = defineFunction(
  'sops_lookup_key',
  'Looks up a key in a YAML, JSON, dotenv or INI file that is encrypted by SOPS, with age, PGP, a KMS or Vault.',
  {
    'String[1] $key, Hash[String[1], Any] $options, Puppet::LookupContext $context': (
      key: string,
      options: Hash,
      context: LookupContext,
    ) => {
      const path = requirePath('sops_lookup_key', options)
      const data = readOnce(key, path, options, context)
      return data.has(key) ? context.interpolate(data.get(key)) : context.notFound()
    },
  },
)

/** Decrypted files of the levels of a compilation, by path. */
const read = new WeakMap<FunctionData, Map<string, Hash>>()

/** Reads a file at the first look-up of a compilation. */
function readOnce(key: string, path: string, options: Hash, { data, invocation }: LookupContext): Hash {
  const files = read.get(data) ?? new Map<string, Hash>()
  read.set(data, files)
  const known = files.get(path)
  if (known) return known
  try {
    const hash = readFile(path, options, data.abilities, invocation.context.host)
    files.set(path, hash)
    return hash
  } catch (error) {
    if (!(error instanceof PuppetError) || error instanceof VerbatimError) throw error
    const { message, hint } = error.diagnostic
    throw new VerbatimError(createDiagnostic(sopsIssues.SOPS_DECRYPT, { key, path, detail: message, hint }))
  }
}

/** A decrypted file, and the questions to services that its data key needed. */
interface DecryptedFile {
  readonly data: Hash
  readonly size: number
  readonly asked: readonly RemoteKey[]
}

/** Decrypted files by file id, format and the state of the keys, shared by all compilations of the thread. */
const decrypted = new LRUCache<string, DecryptedFile>({
  maxSize: budgets.secret.sopsFiles.bound,
  sizeCalculation: ({ size }) => size + 1000,
})

function readFile(path: string, options: Hash, abilities: FunctionOperations, host: EvaluationHost): Hash {
  const file = abilities.findFile(path) ?? failWithoutLocation(hieraIssues.LOOKUP_MISSING_FILE, { path })
  const keys = locateKeys(options, abilities)
  const credentials = readCredentials(options)
  const states = [...keys.ageFiles, keys.gpgHome].map((each) => each && `${each.real}\n${getKeyState(each)}`)
  const id = hash('sha256', JSON.stringify([file.oid, path.replace(/^.*\./s, ''), states, credentials]))
  const known = decrypted.get(id)
  // A service is asked in each compilation, which records the question; the server remembers the answer.
  if (known?.asked.every((each) => isAnswered(each, credentials, host))) return known.data
  const text = file.readText()
  const tried: RemoteKey[] = []
  const asked: RemoteKey[] = []
  const askService = (key: RemoteKey): Buffer => {
    tried.push(key)
    const dataKey = askDataKey(key, credentials, host)
    asked.push(key)
    return dataKey
  }
  const data = decryptUnlessFailed(
    id,
    (error) => tried.length === 0 && isLasting(error),
    () => decryptSopsFile(parseSopsFile(text, path), { ...keys, askService }),
  )
  decrypted.set(id, { data, asked, size: text.length })
  return data
}

/** True for a failure that depends only on the content of the file and on the keys. */
function isLasting(error: PuppetError): boolean {
  return isCatalogIssue(error, sopsIssues) && !isIssue(error, sopsIssues.SOPS_FORMAT)
}

function locateKeys(options: Hash, abilities: FunctionOperations): SopsKeys {
  const ageFiles = listTexts(options.get('age_key_file')) ?? []
  const gpgHome = options.has('gpg_gnupghome') ? locateGpgHome(options, abilities) : undefined
  return { ageFiles: ageFiles.map((path) => abilities.locateKeyFile(path)), gpgHome }
}
