import { defineIssues, fail } from '../../base/issue.ts'
import { dataText } from '../../language/ruby-semantics/data/data-text.ts'
import { type PlainData, type PlainHash, plainForm, textError } from '../../language/ruby-semantics/data/plain-form.ts'
import { plainYaml } from '../../language/ruby-semantics/yaml/yaml-data.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { puppetNameOf, puppetOids } from './oids.ts'

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
  for (const [key, names] of mappingIn(text, file)) {
    const { oid, shortname } = definitionOf(key, names, file)
    if (!/^[0-2](\.\d+)+$/.test(oid)) fail(issues.OID_REGISTERED, { file, why: 'first num too large' })
    const isTaken = oids.has(shortname) || puppetOids.has(shortname) || puppetNameOf(oid) !== oid
    const hint = `${oid} and '${shortname}' must be of no other extension, and of none of Puppet's.`
    if (isTaken) fail(issues.OID_REGISTERED, { file, why: 'oid exists', hint })
    oids.set(shortname, oid)
  }
  return oids
}

function mappingIn(text: string, file: string): PlainHash {
  const document = hash(documentOf(text, file))
  if (!document?.has('oid_mapping')) return fail(issues.OID_MAPPING, { file, why: "no such index 'oid_mapping'" })
  const why = "data under index 'oid_mapping' must be a Hash"
  return hash(document.get('oid_mapping')) ?? fail(issues.OID_MAPPING, { file, why })
}

function documentOf(text: string, file: string): PlainData {
  try {
    return plainYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    return fail(issues.OID_MAPPING, { file, why: error.inFile(file) })
  }
}

/** Rejects values other than strings, as OpenSSL does. */
function definitionOf(oid: PlainData, names: PlainData, file: string): { oid: string; shortname: string } {
  const [shortname, longname] = ['shortname', 'longname'].map((key) => hash(names)?.get(key))
  if (shortname === undefined || longname === undefined)
    fail(issues.OID_MAPPING, { file, why: `incomplete definition of oid '${dataText(oid, plainForm)}'` })
  for (const each of [oid, shortname, longname])
    if (typeof each !== 'string') fail(issues.OID_REGISTERED, { file, why: textError(each) })
  return { oid: oid as string, shortname: shortname as string }
}

function hash(data: PlainData): PlainHash | undefined {
  return data instanceof Map ? data : undefined
}
