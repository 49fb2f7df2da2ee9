import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Files } from '../../machine/system/system.ts'
import { sortRules } from '../auth/authorize.ts'
import type { Rule, RuleEntry } from '../auth/rule.ts'
import type { Client } from '../http/client.ts'

const issues = defineIssues({
  ALLOWLIST_MISSING: {
    text: (a: { file: string }) => `Could not read the certificate allowlist ${a.file}`,
    hint: () => "Set puppetdb_certificate_allowlist to a file with one certname per line, or to '' to use auth.conf.",
  },
})

/**
 * Reads an allow-list and returns equivalent rules. Throws ALLOWLIST_MISSING: without the list, the clients with
 * access to the port would be undefined.
 */
export async function readAllowlist(file: string, files: Pick<Files, 'readText'>): Promise<readonly Rule[]> {
  const text = (await files.readText(file)) ?? throwIssue(issues.ALLOWLIST_MISSING, { file })
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return createAllowlistRules(lines.filter((line) => line !== '' && !line.startsWith('#')))
}

/**
 * Certnames on the list have full access, as in PuppetDB; tokens may query, and the status is
 * public.
 */
function createAllowlistRules(certnames: readonly string[]): readonly Rule[] {
  const allow: readonly RuleEntry[] = certnames.map((certname) => ({ kind: 'common name', certname }))
  const createRule = (path: string, more: Partial<Rule> = {}): Rule => ({
    ...{ name: `certificate-allowlist ${path}`, sortOrder: 500, path: { kind: 'prefix', prefix: path } },
    ...{ methods: undefined, query: new Map(), allowUnauthenticated: false, deny: [], allow, allowTokens: new Set() },
    ...more,
  })
  const asking = { sortOrder: 400, methods: new Set(['get', 'head', 'post']), allowTokens: new Set(['query']) }
  return sortRules([
    createRule('/pdb/query/', asking),
    createRule('/pdb/meta/', asking),
    createRule('/metrics/v2', asking),
    createRule('/pdb'),
    createRule('/status/v1', { methods: new Set(['get']), allow: [], allowUnauthenticated: true }),
  ])
}

/** PuppetDB's message for a certname that is not on the list. */
export function formatAllowlistDenial({ certname }: Client): string {
  return `Permission denied: The client certificate name ${certname ?? 'null'} doesn't appear in the certificate allowlist. Is your master's (or other PuppetDB client's) certname listed in PuppetDB's certificate-allowlist file?`
}
