import { fail } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { fileName } from '../../../model/indirector/file-name.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { Node } from '../../../model/node.ts'
import type { NodeRequest, NodeServices } from './index.ts'
import { type LdapDirectory, type LdapSettings, openDirectory } from './ldap-directory.ts'
import { inheritFrom, type LdapNode, ldapNode } from './ldap-entry.ts'
import { ldapIssues } from './ldap-issues.ts'
import { withFacts } from './with-facts.ts'

/**
 * Nodes from an LDAP directory, found by certname, by host name or as `default`, with inherited
 * entries. Puppet 5: indirector/node/ldap.rb.
 */
export const ldap: TerminusDefinition<Node, NodeServices, NodeRequest> = {
  doc: 'What an LDAP directory says of it.',
  create({ facts, system: { files }, settings }) {
    if (settings.ldapbase === '') fail(ldapIssues.LDAP_NO_BASE, {})
    if (settings.ldapssl && settings.ldaptls) fail(ldapIssues.LDAP_TWICE_SECURED, {})
    return {
      async find(request) {
        const key = fileName('node', request.key)
        const directory = await openDirectory(settings, files)
        try {
          const found = await nodeOf(key, directory, settings)
          return found && (await withFacts(nodeFrom(key, found, request.environment), request, facts))
        } finally {
          await directory.close()
        }
      },
    }
  },
}

/** Finds a node and its parents. Throws LDAP_NO_PARENT, LDAP_PARENT_LOOP, LDAP_PARENTS. */
async function nodeOf(key: string, directory: LdapDirectory, settings: LdapSettings): Promise<LdapNode | undefined> {
  for (const name of new Set([key, key.split('.', 1)[0]!, 'default'])) {
    const entry = await directory.entryOf(name)
    if (entry) return withParents(ldapNode(entry, settings), directory, settings)
  }
  return undefined
}

async function withParents(node: LdapNode, directory: LdapDirectory, settings: LdapSettings): Promise<LdapNode> {
  const seen = new Set<string>()
  let whole = node
  while (whole.parent !== undefined) {
    const { parent } = whole
    if (seen.has(parent)) fail(ldapIssues.LDAP_PARENT_LOOP, { parent })
    seen.add(parent)
    const entry = (await directory.entryOf(parent)) ?? fail(ldapIssues.LDAP_NO_PARENT, { parent })
    whole = inheritFrom(whole, ldapNode(entry, settings))
  }
  return whole
}

function nodeFrom(name: string, { classes, parameters, environment }: LdapNode, asked: string | undefined): Node {
  return {
    name,
    environment: environment ?? asked,
    parameters: Object.fromEntries(parameters) as Record<string, ExactJson>,
    classes,
  }
}
