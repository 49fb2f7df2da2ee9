import type { KeyObject } from 'node:crypto'
import { fail } from '../../../base/issue.ts'
import { buildRequest } from '../../../ca/x509/certificate-request.ts'
import { parseCustomOids } from '../../../ca/x509/custom-oids.ts'
import { element, tags, utf8String } from '../../../ca/x509/der.ts'
import { type Extension, subjectAltName, textExtension } from '../../../ca/x509/extensions.ts'
import { oids, puppetOids } from '../../../ca/x509/oids.ts'
import { dataText, inspectData } from '../../../language/ruby-semantics/data/data-text.ts'
import {
  getRubyClass,
  type PlainData,
  type PlainHash,
  plainForm,
  textError,
} from '../../../language/ruby-semantics/data/plain-form.ts'
import { plainYaml } from '../../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../../language/ruby-semantics/yaml/yaml-error.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import type { Files } from '../../../machine/system/system.ts'
import { issues } from './issues.ts'

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
export async function hostRequest(settings: RequestSettings, key: KeyObject, files: Files): Promise<string> {
  const { certname, dns_alt_names: names, csr_attributes: file, hostcert_renewal_interval: renewal } = settings
  const text = await files.readText(file)
  const { attributes, extensions } =
    text === undefined ? nothing : parseCsrAttributes(text, file, await customOids(settings, files))
  const altNames = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const all = [...new Set([certname, ...altNames].map(qualified))].sort()
  return buildRequest(
    {
      commonName: certname,
      attributes: [...attributes, ...(renewal > 0 ? [autoRenew] : [])],
      extensions: [...extensions, ...(altNames.length > 0 ? [subjectAltName(all)] : [])],
    },
    key,
  )
}

const nothing: CsrAttributes = { attributes: [], extensions: [] }
/** Requests a renewable certificate from a server that supports renewal; Puppet 8. */
const autoRenew: Attribute = [puppetOids.get('pp_auth_auto_renew')!, utf8String('true')]

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
  const oidNamed = (name: string) => custom.get(name) ?? names.get(name) ?? (dotted.test(name) ? name : undefined)
  const document = documentOf(text, file) || nothingSaid
  if (!(document instanceof Map)) fail(issues.CSR_ATTRIBUTES_SHAPE, { kind: getRubyClass(document) })
  const given = new Map(document as PlainHash)
  const attributes = entriesIn(given, 'custom_attributes', file)
  const extensions = entriesIn(given, 'extension_requests', file)
  if (given.size > 0) fail(issues.CSR_ATTRIBUTES_UNKNOWN, { keys: inspectData([...given.keys()], plainForm), file })
  return {
    attributes: attributes.map(([name, value]): Attribute => {
      const oid = oidNamed(name) ?? fail(issues.CSR_ATTRIBUTE, { oid: name, why: 'first num too large' })
      if (internalAttributes.has(oid)) fail(issues.CSR_ATTRIBUTE_INTERNAL, { oid: name })
      return [oid, stringOf(value)]
    }),
    extensions: extensions.map(([name, value]): Extension => {
      const oid = oidNamed(name) ?? fail(issues.CSR_EXTENSION, { oid: name, why: 'first num too large' })
      if (internalExtensions.has(oid)) fail(issues.CSR_EXTENSION_INTERNAL, { oid: name })
      return textExtension(oid, value)
    }),
  }
}

const nothingSaid: PlainHash = new Map()

/** Removes and returns the entries of one key. Values are converted to text as by Ruby's `to_s`. */
function entriesIn(document: Map<PlainData, PlainData>, key: string, file: string): (readonly [string, string])[] {
  const entries = document.get(key) || nothingSaid
  document.delete(key)
  if (!(entries instanceof Map)) return unreadable(file, `${key} must be a Hash, not ${getRubyClass(entries)}`)
  return Array.from(entries as PlainHash, ([name, value]) => [
    typeof name === 'string' ? name : unreadable(file, textError(name)),
    dataText(value, plainForm),
  ])
}

function documentOf(text: string, file: string): PlainData {
  try {
    return plainYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return unreadable(file, error.inFile(file))
  }
}

function unreadable(file: string, why: string): never {
  return fail(issues.CSR_ATTRIBUTES_UNREADABLE, { file, why })
}

const dotted = /^[0-2](\.\d+)+$/

async function customOids(
  { trusted_oid_mapping_file: file }: RequestSettings,
  files: Files,
): Promise<ReadonlyMap<string, string>> {
  const text = await files.readText(file)
  return text === undefined ? new Map() : parseCustomOids(text, file)
}

/** A PrintableString, as in Puppet, if the characters allow it; otherwise a UTF8String. */
function stringOf(text: string): Buffer {
  return /^[A-Za-z0-9 '()+,./:=?-]*$/.test(text) ? element(tags.printableString, Buffer.from(text)) : utf8String(text)
}

function qualified(name: string): string {
  return /^(DNS|IP):/.test(name) ? name : `DNS:${name}`
}
