import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatData } from '../../language/ruby-semantics/data/data-text.ts'
import {
  formatTypeError,
  type PlainData,
  type PlainHash,
  plainForm,
} from '../../language/ruby-semantics/data/plain-form.ts'
import { readPlainYaml } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { getPuppetShortName, puppetOids } from './oids.ts'

/** Errors in the words of Puppet's `ssl/oids.rb`. */
const issues = defineIssues({
  OID_MAPPING: {
    text: (a: { file: string; why: string }) => `Error loading ssl custom OIDs mapping file from '${a.file}': ${a.why}`,
  },
  OID_REGISTERED: {
    text: (a: { file: string; why: string; hint?: string }) =>
      `Error registering ssl custom OIDs mapping from file '${a.file}': ${a.why}`,
    hint: (a) => a.hint,
  },
})

/**
 * Parses the YAML of `trusted_oid_mapping_file` to object identifiers by short name. Rejects duplicate names and
 * redefinitions of Puppet's names, since authorization depends on some of Puppet's names. Throws OID_MAPPING,
 * OID_REGISTERED.
 */
export function parseCustomOids(text: string, file: string): ReadonlyMap<string, string> {
  const oids = new Map<string, string>()
  for (const [key, names] of parseOidMapping(text, file)) {
    const { oid, shortname } = parseDefinition(key, names, file)
    if (!/^[0-2](\.\d+)+$/.test(oid)) throwIssue(issues.OID_REGISTERED, { file, why: 'first num too large' })
    const isTaken = oids.has(shortname) || puppetOids.has(shortname) || getPuppetShortName(oid) !== oid
    const hint = `${oid} and '${shortname}' must not belong to another extension or to Puppet.`
    if (isTaken) throwIssue(issues.OID_REGISTERED, { file, why: 'oid exists', hint })
    oids.set(shortname, oid)
  }
  return oids
}

function parseOidMapping(text: string, file: string): PlainHash {
  const document = toHash(parseDocument(text, file))
  if (!document?.has('oid_mapping')) return throwIssue(issues.OID_MAPPING, { file, why: "no such index 'oid_mapping'" })
  const why = "data under index 'oid_mapping' must be a Hash"
  return toHash(document.get('oid_mapping')) ?? throwIssue(issues.OID_MAPPING, { file, why })
}

function parseDocument(text: string, file: string): PlainData {
  try {
    return readPlainYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return throwIssue(issues.OID_MAPPING, { file, why: error.inFile(file) })
  }
}

/** Rejects values other than strings, as OpenSSL does. */
function parseDefinition(oid: PlainData, names: PlainData, file: string): { oid: string; shortname: string } {
  const [shortname, longname] = ['shortname', 'longname'].map((key) => toHash(names)?.get(key))
  if (shortname === undefined || longname === undefined)
    throwIssue(issues.OID_MAPPING, { file, why: `incomplete definition of oid '${formatData(oid, plainForm)}'` })
  for (const each of [oid, shortname, longname])
    if (typeof each !== 'string') throwIssue(issues.OID_REGISTERED, { file, why: formatTypeError(each) })
  return { oid: oid as string, shortname: shortname as string }
}

function toHash(data: PlainData): PlainHash | undefined {
  return data instanceof Map ? data : undefined
}
