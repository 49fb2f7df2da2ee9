import { parse } from 'yaml'
import { defineIssues, fail } from '../base/issue.ts'

/** In the words of Puppet's `ssl/oids.rb`. */
const issues = defineIssues({
  OID_MAPPING: {
    text: (a: { file: string; why: string }) => `Error loading ssl custom OIDs mapping file from '${a.file}': ${a.why}`,
  },
})

/** Short names of object identifiers, from the YAML of `trusted_oid_mapping_file`. Throws OID_MAPPING. */
export function parseCustomOids(text: string, file: string): ReadonlyMap<string, string> {
  const mapping = object(documentOf(text, file))?.oid_mapping
  if (mapping === undefined) fail(issues.OID_MAPPING, { file, why: "no such index 'oid_mapping'" })
  const entries = object(mapping)
  if (!entries) fail(issues.OID_MAPPING, { file, why: "data under index 'oid_mapping' must be a Hash" })
  return new Map(
    Object.entries(entries).map(([oid, names]): [string, string] => {
      const { shortname, longname } = object(names) ?? {}
      if (typeof shortname !== 'string' || typeof longname !== 'string' || !/^[0-2](\.\d+)+$/.test(oid))
        fail(issues.OID_MAPPING, { file, why: `incomplete definition of oid '${oid}'` })
      return [shortname, oid]
    }),
  )
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
