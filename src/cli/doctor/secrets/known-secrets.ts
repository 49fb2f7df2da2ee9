import { buffer } from 'node:stream/consumers'
import { budgets } from '../../../base/budgets/budgets.ts'
import { limitBytes } from '../../../base/bytes/byte-limit.ts'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { type ExactJson, getEntries, getMember, isExactObject } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { type CatalogWire, formatResourceReference } from '../../../model/catalog.ts'
import { redactSecrets } from '../../../model/secret-redaction.ts'

/** A secret for which files are searched. */
export interface KnownSecret {
  readonly value: Buffer
  /** Description of the secret without its value: `File[/etc/app.conf] content`, or `line 3 of FILE`. */
  readonly origin: string
  /** The file that a catalog manages with the secret as its content. */
  readonly destination?: string
}

const issues = defineIssues({
  SECRET_TOO_SHORT: {
    text: (a: { line: number; file: string }) =>
      `The secret in line ${a.line} of ${a.file} is shorter than ${shortestSecret} bytes`,
    hint: () => 'Short texts occur in many files by chance. Remove the line.',
  },
  SECRETS_TOO_LARGE: {
    text: (a: { file: string; most: number }) => `${a.file} exceeds ${a.most} bytes`,
  },
  NO_SECRETS: { text: (a: { file: string }) => `${a.file} contains no secrets` },
})

/** Minimum length of a secret in bytes. A shorter text would be found by chance. */
const shortestSecret = 6

/**
 * Reads a file with one secret per line, as raw bytes. Throws SECRET_TOO_SHORT, SECRETS_TOO_LARGE, NO_SECRETS.
 */
export async function readSecrets(input: NodeJS.ReadableStream, file: string): Promise<readonly KnownSecret[]> {
  const most = budgets.machine.secretFile.bound
  const bytes = limitBytes(most, input as AsyncIterable<Uint8Array>, () =>
    throwIssue(issues.SECRETS_TOO_LARGE, { file, most }),
  )
  return parseSecretLines(await buffer(bytes), file)
}

function parseSecretLines(bytes: Buffer, file: string): readonly KnownSecret[] {
  const secrets: KnownSecret[] = []
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf('\n', start)
    const end = newline < 0 ? bytes.length : newline
    const line = secrets.length + 1
    if (end - start < shortestSecret) throwIssue(issues.SECRET_TOO_SHORT, { line, file })
    secrets.push({ value: bytes.subarray(start, end), origin: `line ${line} of ${file}` })
    start = end + 1
  }
  return secrets.length > 0 ? secrets : throwIssue(issues.NO_SECRETS, { file })
}

/** The secrets of a catalog. */
export interface CatalogSecrets {
  readonly secrets: readonly KnownSecret[]
  /** True if the catalog contains a secret, including secrets that are too short for a search. */
  readonly hasSecrets: boolean
}

/**
 * Lists the texts of a catalog's Sensitive values. Arguments of Deferred functions are secrets only if they are Sensitive
 * themselves.
 */
export function listCatalogSecrets({ resources }: CatalogWire): CatalogSecrets {
  const secrets: KnownSecret[] = []
  let hasSecrets = false
  for (const resource of toArray(resources)) {
    const [type, title] = [getText(resource, 'type'), getText(resource, 'title')]
    const parameters = getMember(resource, 'parameters')
    const sensitive = new Set(toArray(getMember(resource, 'sensitive_parameters')))
    for (const [name, value = null] of isExactObject(parameters) ? getEntries(parameters) : []) {
      const origin = `${formatResourceReference({ type, title })} ${name}`
      const isContent = type === 'File' && name === 'content'
      const destination = isContent ? { destination: getText(parameters, 'path') || title } : {}
      for (const text of sensitive.has(name) ? listTexts(value) : listSensitiveTexts(value)) {
        hasSecrets = true
        for (const each of withoutLineEnd(text))
          if (each.length >= shortestSecret) secrets.push({ value: each, origin, ...destination })
      }
    }
  }
  return { secrets, hasSecrets }
}

const toArray = (json: ExactJson | undefined): readonly ExactJson[] => (Array.isArray(json) ? json : [])

function getText(json: ExactJson | undefined, key: string): string {
  const value = getMember(json, key)
  return typeof value === 'string' ? value : ''
}

/** A text with and without the newline at its end, which logs and other files omit. */
function withoutLineEnd(text: Buffer): readonly Buffer[] {
  return text.at(-1) === 0x0a ? [text, text.subarray(0, -1)] : [text]
}

function listSensitiveTexts(value: ExactJson): readonly Buffer[] {
  const texts: Buffer[] = []
  redactSecrets(value, (secret = null) => {
    texts.push(...listTexts(secret))
    return null
  })
  return texts
}

/** The texts in a secret value: strings, numbers and Binary values at any depth, without the keys of hashes. */
function listTexts(value: ExactJson): readonly Buffer[] {
  if (typeof value === 'string') return [Buffer.from(value)]
  if (Array.isArray(value)) return value.flatMap(listTexts)
  if (!isExactObject(value))
    return value === null || typeof value === 'boolean' ? [] : [Buffer.from(formatExactJson(value))]
  const [type, content] = [getMember(value, '__ptype'), getMember(value, '__pvalue')]
  if (type === 'Deferred') return listSensitiveTexts(getMember(value, 'arguments') ?? null)
  if (type === 'LocalRef' || type === 'Default') return []
  if (type === 'Binary' && typeof content === 'string') return [Buffer.from(content, 'base64')]
  return [...getEntries(value)].flatMap(([key, each = null]) => (key === '__ptype' ? [] : listTexts(each)))
}
