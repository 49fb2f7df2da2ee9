import { throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { checkFileName } from '../../../model/indirector/file-name.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { PuppetNode } from '../../../model/node.ts'
import { mergeFacts } from './fact-merge.ts'
import type { NodeRequest, NodeServices } from './index.ts'
import { type LdapDirectory, type LdapSettings, openLdapDirectory } from './ldap-directory.ts'
import { type LdapNode, mergeParent, toLdapNode } from './ldap-entry.ts'
import { ldapIssues } from './ldap-issues.ts'

/**
 * Nodes from an LDAP directory, found by certname, by host name or as `default`, with inherited
 * entries. Puppet 5: indirector/node/ldap.rb.
 */
export const ldap: TerminusDefinition<PuppetNode, NodeServices, NodeRequest> = {
  doc: 'Reads the node from an LDAP directory.',
  create({ facts, system: { files }, settings }) {
    if (settings.ldapbase === '') throwIssue(ldapIssues.LDAP_NO_BASE, {})
    if (settings.ldapssl && settings.ldaptls) throwIssue(ldapIssues.LDAP_TWICE_SECURED, {})
    return {
      async find(request) {
        const key = checkFileName('node', request.key)
        const directory = await openLdapDirectory(settings, files)
        try {
          const found = await findLdapNode(key, directory, settings)
          return found && (await mergeFacts(toNode(key, found, request.environment), request, facts))
        } finally {
          await directory.close()
        }
      },
    }
  },
}

/** Finds a node and its parents. Throws LDAP_NO_PARENT, LDAP_PARENT_LOOP, LDAP_PARENTS. */
async function findLdapNode(
  key: string,
  directory: LdapDirectory,
  settings: LdapSettings,
): Promise<LdapNode | undefined> {
  for (const name of new Set([key, key.split('.', 1)[0]!, 'default'])) {
    const entry = await directory.entryOf(name)
    if (entry) return mergeParents(toLdapNode(entry, settings), directory, settings)
  }
  return undefined
}

async function mergeParents(node: LdapNode, directory: LdapDirectory, settings: LdapSettings): Promise<LdapNode> {
  const seen = new Set<string>()
  let whole = node
  while (whole.parent !== undefined) {
    const { parent } = whole
    if (seen.has(parent)) throwIssue(ldapIssues.LDAP_PARENT_LOOP, { parent })
    seen.add(parent)
    const entry = (await directory.entryOf(parent)) ?? throwIssue(ldapIssues.LDAP_NO_PARENT, { parent })
    whole = mergeParent(whole, toLdapNode(entry, settings))
  }
  return whole
}

function toNode(name: string, { classes, parameters, environment }: LdapNode, asked: string | undefined): PuppetNode {
  return {
    name,
    environment: environment ?? asked,
    parameters: Object.fromEntries(parameters) as Record<string, ExactJson>,
    classes,
  }
}
