import { parse } from 'yaml'
import { defineIssues, fail } from '../base/issue.ts'
import { puppetNameOf, puppetOids } from './oids.ts'

/** In the words of Puppet's `ssl/oids.rb`. */
const issues = defineIssues({
  OID_MAPPING: {
    text: (a: { file: string; why: string }) => `Error loading ssl custom OIDs mapping file from '${a.file}': ${a.why}`,
  },
  OID_REGISTERED: {
    text: (a: { file: string; oid: string; name: string }) =>
      `Error registering ssl custom OIDs mapping from file '${a.file}': oid exists`,
    hint: (a) => `${a.oid} and '${a.name}' must be of no other extension, and of none of Puppet's.`,
  },
})

/**
 * Object identifiers by their short names, from the YAML of `trusted_oid_mapping_file`. No name stands for two, and none
 * of Puppet's for another: authorization goes by some. Throws OID_MAPPING, OID_REGISTERED.
 */
export function parseCustomOids(text: string, file: string): ReadonlyMap<string, string> {
  const mapping = object(documentOf(text, file))?.oid_mapping
  if (mapping === undefined) fail(issues.OID_MAPPING, { file, why: "no such index 'oid_mapping'" })
  const entries = object(mapping)
  if (!entries) fail(issues.OID_MAPPING, { file, why: "data under index 'oid_mapping' must be a Hash" })
  const oids = new Map<string, string>()
  for (const [oid, names] of Object.entries(entries)) {
    const { shortname, longname } = object(names) ?? {}
    if (typeof shortname !== 'string' || typeof longname !== 'string' || !/^[0-2](\.\d+)+$/.test(oid))
      fail(issues.OID_MAPPING, { file, why: `incomplete definition of oid '${oid}'` })
    const isTaken = oids.has(shortname) || puppetOids.has(shortname) || puppetNameOf(oid) !== oid
    if (isTaken) fail(issues.OID_REGISTERED, { file, oid, name: shortname })
    oids.set(shortname, oid)
  }
  return oids
}

function documentOf(text: string, file: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    return fail(issues.OID_MAPPING, { file, why: (error as Error).message })
  }
}

function object(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
