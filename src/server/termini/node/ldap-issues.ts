import { defineIssues } from '../../../base/issue.ts'

/** Errors of the LDAP terminus. The texts are those of Puppet 5. */
export const ldapIssues = defineIssues({
  LDAP_NO_BASE: {
    text: (_: object) => 'The node terminus ldap requires the setting ldapbase',
    hint: () => 'ldapbase = ou=Hosts,dc=example,dc=test',
  },
  LDAP_TWICE_SECURED: {
    text: (_: object) => 'ldapssl and ldaptls cannot both be true',
    hint: () => 'Use ldapssl with a separate TLS port (636), or ldaptls with the plain port.',
  },
  LDAP_PASSWORD_OPEN: {
    text: (a: { path: string }) => `Other users can read the password in ${a.path}`,
    hint: (a) => `chmod 600 ${a.path}`,
  },
  LDAP_FAILED: {
    text: (_: { why: string }) => 'LDAP Search failed',
    hint: (a) => a.why,
  },
  LDAP_NO_PARENT: {
    text: (a: { parent: string }) => `Could not find parent node '${a.parent}'`,
  },
  LDAP_PARENT_LOOP: {
    text: (a: { parent: string }) => `Found loop in LDAP node parents; ${a.parent} appears twice`,
  },
  LDAP_PARENTS: {
    text: (a: { parents: readonly string[] }) =>
      `Node entry specifies more than one parent: ${JSON.stringify(a.parents)}`,
  },
})
