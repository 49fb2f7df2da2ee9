import { join, parse } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { checkJsonObject } from '../../base/json/json-checks.ts'
import { parseJson } from '../../base/json/json-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Commands, System } from '../../machine/system/system.ts'

/** Authenticated facts of a node, as in `$trusted`. Puppet: context/trusted_information.rb. */
export interface TrustedFacts {
  readonly [name: string]: ExactJson
  /** `remote`: by a certificate; `local`: compiled on this machine; `false`: not authenticated. */
  readonly authenticated: 'remote' | 'local' | false
  readonly certname: string | null
  readonly extensions: Readonly<Record<string, string>>
  readonly hostname: string | null
  readonly domain: string | null
  /** Output of `trusted_external_command`. */
  readonly external: Readonly<Record<string, ExactJson>>
}

/** The proof of a node's identity: its certificate, or a compilation on this machine. */
export interface Proof {
  readonly authenticated: TrustedFacts['authenticated']
  readonly certname: string | undefined
  /** Values of the certificate's extensions, by Puppet's short name if there is one, otherwise by OID. */
  readonly extensions?: Readonly<Record<string, string>>
}

const issues = defineIssues({
  TRUSTED_EXTERNAL: {
    text: (a: { command: string; certname: string; reason: string }) =>
      `Could not get trusted external data of ${a.certname} from ${a.command}: ${a.reason}`,
  },
  // Puppet: trusted_external.rb.
  TRUSTED_EXTERNAL_TWICE: {
    text: (a: { name: string; directory: string }) => `There is more than one '${a.name}' script in ${a.directory}`,
    hint: (a) => `Rename or remove all but one executable file named ${a.name} or ${a.name}.EXTENSION.`,
  },
})

/** The trusted facts for a proof. A node that is not authenticated has no trusted name. */
export function buildTrustedFacts(
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

type External = Readonly<Record<string, ExactJson>>

/**
 * The data that `trusted_external_command` returns for a node: the JSON object that the program
 * prints. If the setting names a directory, the object of each executable file in the directory, by
 * the file's name without extension. Throws TRUSTED_EXTERNAL, TRUSTED_EXTERNAL_TWICE. Puppet:
 * trusted_external.rb.
 */
export async function readExternalTrustedData(
  command: string,
  certname: string,
  { files, commands }: Pick<System, 'files' | 'commands'>,
): Promise<External> {
  const names = await files.list(command)
  if (names === undefined) return runTrustedProgram(command, certname, commands)
  const data = new Map<string, External>()
  for (const file of names.toSorted()) {
    const program = await commands.find(join(command, file))
    if (program === undefined) continue
    const name = parse(file).name
    if (data.has(name)) throwIssue(issues.TRUSTED_EXTERNAL_TWICE, { name, directory: command })
    data.set(name, await runTrustedProgram(program, certname, commands))
  }
  return Object.fromEntries(data)
}

async function runTrustedProgram(command: string, certname: string, commands: Commands): Promise<External> {
  const failTrustedProgram = (reason: string): never =>
    throwIssue(issues.TRUSTED_EXTERNAL, { command, certname, reason })
  const { status, stdout, stderr } = await commands.run([command, certname], { timeout: 60 })
  if (status !== 0) return failTrustedProgram(`exit status ${status}: ${stderr.trim()}`)
  try {
    return checkJsonObject(parseJson(stdout), 'its output') as External
  } catch (error) {
    return failTrustedProgram(formatError(error))
  }
}
