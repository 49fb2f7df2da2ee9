import type { KeyObject } from 'node:crypto'
import { throwIssue } from '../../../base/issue.ts'
import { buildCertificateRequest } from '../../../ca/x509/certificate-request.ts'
import { parseCustomOids } from '../../../ca/x509/custom-oids.ts'
import { encodeElement, encodeUtf8String, tags } from '../../../ca/x509/der.ts'
import { buildSubjectAltName, buildTextExtension, type Extension } from '../../../ca/x509/extensions.ts'
import { oids, puppetOids } from '../../../ca/x509/oids.ts'
import { formatData, inspectData } from '../../../language/ruby-semantics/data/data-text.ts'
import {
  formatTypeError,
  getRubyClass,
  type PlainData,
  type PlainHash,
  plainForm,
} from '../../../language/ruby-semantics/data/plain-form.ts'
import { readPlainYaml } from '../../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { sslIssues } from './issues.ts'

/** Settings for a certificate request. */
export type RequestSettings = Pick<
  Settings,
  'certname' | 'dns_alt_names' | 'csr_attributes' | 'trusted_oid_mapping_file' | 'hostcert_renewal_interval'
>

type Attribute = readonly [oid: string, value: Buffer]

/** Attributes and extensions from `csr_attributes.yaml`. */
interface CsrAttributes {
  readonly attributes: readonly Attribute[]
  readonly extensions: readonly Extension[]
}

/** PEM of this host's request: its name, `dns_alt_names`, and the entries of `csr_attributes.yaml`. */
export async function createHostRequest(settings: RequestSettings, key: KeyObject, files: Files): Promise<string> {
  const { certname, dns_alt_names: names, csr_attributes: file, hostcert_renewal_interval: renewal } = settings
  const text = await files.readText(file)
  const { attributes, extensions } =
    text === undefined ? nothing : parseCsrAttributes(text, file, await readCustomOids(settings, files))
  const altNames = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const all = [...new Set([certname, ...altNames].map(toAltName))].sort()
  return buildCertificateRequest(
    {
      commonName: certname,
      attributes: [...attributes, ...(renewal > 0 ? [autoRenew] : [])],
      extensions: [...extensions, ...(altNames.length > 0 ? [buildSubjectAltName(all)] : [])],
    },
    key,
  )
}

const nothing: CsrAttributes = { attributes: [], extensions: [] }
/** Requests a renewable certificate from a server that supports renewal; Puppet 8. */
const autoRenew: Attribute = [puppetOids.get('pp_auth_auto_renew')!, encodeUtf8String('true')]

const internalAttributes: ReadonlySet<string> = new Set([oids.extensionRequest, oids.microsoftExtensionRequest])
const internalExtensions: ReadonlySet<string> = new Set([oids.subjectAltName])
const names: ReadonlyMap<string, string> = new Map([
  ...puppetOids,
  ['challengePassword', oids.challengePassword],
  ['extReq', oids.extensionRequest],
  ['msExtReq', oids.microsoftExtensionRequest],
  ['subjectAltName', oids.subjectAltName],
])

/** Parses `csr_attributes.yaml`. Throws Puppet's errors for attributes that a request cannot have. */
export function parseCsrAttributes(
  text: string,
  file: string,
  custom: ReadonlyMap<string, string> = new Map(),
): CsrAttributes {
  const findOid = (name: string) => custom.get(name) ?? names.get(name) ?? (dotted.test(name) ? name : undefined)
  const document = parseAttributesDocument(text, file) || nothingSaid
  if (!(document instanceof Map)) throwIssue(sslIssues.CSR_ATTRIBUTES_SHAPE, { kind: getRubyClass(document) })
  const given = new Map(document as PlainHash)
  const attributes = takeEntries(given, 'custom_attributes', file)
  const extensions = takeEntries(given, 'extension_requests', file)
  if (given.size > 0)
    throwIssue(sslIssues.CSR_ATTRIBUTES_UNKNOWN, { keys: inspectData([...given.keys()], plainForm), file })
  return {
    attributes: attributes.map(([name, value]): Attribute => {
      const oid = findOid(name) ?? throwIssue(sslIssues.CSR_ATTRIBUTE, { oid: name, why: 'first num too large' })
      if (internalAttributes.has(oid)) throwIssue(sslIssues.CSR_ATTRIBUTE_INTERNAL, { oid: name })
      return [oid, encodeString(value)]
    }),
    extensions: extensions.map(([name, value]): Extension => {
      const oid = findOid(name) ?? throwIssue(sslIssues.CSR_EXTENSION, { oid: name, why: 'first num too large' })
      if (internalExtensions.has(oid)) throwIssue(sslIssues.CSR_EXTENSION_INTERNAL, { oid: name })
      return buildTextExtension(oid, value)
    }),
  }
}

const nothingSaid: PlainHash = new Map()

/** Removes and returns the entries of one key. Values are converted to text as by Ruby's `to_s`. */
function takeEntries(document: Map<PlainData, PlainData>, key: string, file: string): (readonly [string, string])[] {
  const entries = document.get(key) || nothingSaid
  document.delete(key)
  if (!(entries instanceof Map)) return failUnreadable(file, `${key} must be a Hash, not ${getRubyClass(entries)}`)
  return Array.from(entries as PlainHash, ([name, value]) => [
    typeof name === 'string' ? name : failUnreadable(file, formatTypeError(name)),
    formatData(value, plainForm),
  ])
}

function parseAttributesDocument(text: string, file: string): PlainData {
  try {
    return readPlainYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return failUnreadable(file, error.inFile(file))
  }
}

function failUnreadable(file: string, why: string): never {
  return throwIssue(sslIssues.CSR_ATTRIBUTES_UNREADABLE, { file, why })
}

const dotted = /^[0-2](\.\d+)+$/

async function readCustomOids(
  { trusted_oid_mapping_file: file }: RequestSettings,
  files: Files,
): Promise<ReadonlyMap<string, string>> {
  const text = await files.readText(file)
  return text === undefined ? new Map() : parseCustomOids(text, file)
}

/** A PrintableString, as in Puppet, if the characters allow it; otherwise a UTF8String. */
function encodeString(text: string): Buffer {
  return /^[A-Za-z0-9 '()+,./:=?-]*$/.test(text)
    ? encodeElement(tags.printableString, Buffer.from(text))
    : encodeUtf8String(text)
}

function toAltName(name: string): string {
  return /^(DNS|IP):/.test(name) ? name : `DNS:${name}`
}
