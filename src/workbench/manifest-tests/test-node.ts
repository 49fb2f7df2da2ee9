import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'

/** A node on which a test runs. */
export interface TestNode {
  readonly certname: string
  readonly facts: Readonly<Record<string, ExactJson>>
  /** Trusted data besides those of an ordinary certificate. */
  readonly trusted: Readonly<Record<string, ExactJson>>
}

/** Name of a node whose facts contain none. */
const defaultCertname = 'node.example.com'

/** A node with the facts of an operating system; its name is the fact `networking.fqdn`. */
export function createSystemNode(facts: TestNode['facts']): TestNode {
  const { networking = null } = facts
  const { fqdn } = (isExactObject(networking) ? networking : {}) as { readonly fqdn?: ExactJson }
  return { certname: typeof fqdn === 'string' ? fqdn : defaultCertname, facts, trusted: {} }
}
