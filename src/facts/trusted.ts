import type { ExactJson } from '../base/exact-json.ts'
import { defineIssues, fail } from '../base/issue.ts'
import { parseJson } from '../base/json-text.ts'
import { record } from '../base/wire.ts'
import { errorText } from '../ruby-semantics/errno.ts'
import type { Commands } from '../system/system.ts'

/** Proven facts of a node, as in `$trusted`. Puppet: context/trusted_information.rb. */
export interface TrustedFacts {
  readonly [name: string]: ExactJson
  /** `remote`: by a certificate; `local`: compiled on this machine; `false`: not at all. */
  readonly authenticated: 'remote' | 'local' | false
  readonly certname: string | null
  readonly extensions: Readonly<Record<string, string>>
  readonly hostname: string | null
  readonly domain: string | null
  /** Data of `trusted_external_command`. */
  readonly external: Readonly<Record<string, ExactJson>>
}

/** Facts proven by a certificate, or by being on this machine. */
export interface Proof {
  readonly authenticated: TrustedFacts['authenticated']
  readonly certname: string | undefined
  /** By short name where Puppet has one, otherwise by OID. */
  readonly extensions?: Readonly<Record<string, string>>
}

const issues = defineIssues({
  TRUSTED_EXTERNAL: {
    text: (a: { command: string; certname: string; reason: string }) =>
      `Could not get trusted external data of ${a.certname} from ${a.command}: ${a.reason}`,
  },
})

/** The trusted facts of a proof. A node that is not authenticated has no name that could be trusted. */
export function trustedFacts(
  { authenticated, certname, extensions = {} }: Proof,
  external: Readonly<Record<string, ExactJson>> = {},
): TrustedFacts {
  const name = authenticated === false ? undefined : certname
  const dot = name?.indexOf('.') ?? -1
  return {
    authenticated,
    certname: name ?? null,
    extensions: authenticated === false ? {} : extensions,
    hostname: name === undefined ? null : dot === -1 ? name : name.slice(0, dot),
    domain: name === undefined || dot === -1 ? null : name.slice(dot + 1),
    external,
  }
}

/** The JSON object that the program of `trusted_external_command` prints for a node. Throws TRUSTED_EXTERNAL. */
export async function externalTrustedData(
  command: string,
  certname: string,
  commands: Commands,
): Promise<Readonly<Record<string, ExactJson>>> {
  const wrong = (reason: string): never => fail(issues.TRUSTED_EXTERNAL, { command, certname, reason })
  const { status, stdout, stderr } = await commands.run([command, certname], { timeout: 60 })
  if (status !== 0) return wrong(`exit status ${status}: ${stderr.trim()}`)
  try {
    return record(parseJson(stdout), 'its output') as Readonly<Record<string, ExactJson>>
  } catch (error) {
    return wrong(errorText(error))
  }
}
