import { createReadStream } from 'node:fs'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatQuantity } from '../../base/text/quantity.ts'
import { getCaLayout } from '../../ca/file-layout.ts'
import { checkSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { type CommandInvocation, defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { checks, describeChecks, runChecks } from './check-runner.ts'
import type { DoctorFinding } from './finding.ts'
import type { Installation, SecretSearch } from './installation.ts'
import { readSecrets } from './secrets/known-secrets.ts'

const issues = defineIssues({
  UNKNOWN_CHECK: {
    text: (a: { name: string }) => `Unknown check '${a.name}'`,
    hint: (a) => formatSuggestion(a.name, names) ?? `Available checks: ${names.join(', ')}.`,
  },
  SECRETS_UNUSED: {
    text: () => "The option --secrets requires the check 'secrets'",
    hint: () => "Run 'plumb doctor secrets --secrets FILE'.",
  },
})

const names = checks.map(({ name }) => name)

/** Terminal colors by severity. */
const colors = { error: '\u001b[1;31m', warning: '\u001b[1;33m' } as const

/** The command `plumb doctor`. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Examine this installation, and print each fault with its remedy.',
  description: `Examines a server or a node without changing it. Prints each problem with its effect and a remedy. Run it as root or as
the user of the server; files that cannot be read are reported as problems.

${checks.map(({ name, doc }) => `  ${name.padEnd(14)} ${doc}`).join('\n')}

  plumb doctor
  plumb doctor certificates clock
  plumb doctor --role agent --render-as json
  plumb doctor secrets --secrets /root/secrets.txt

A machine with a repository, code directories or a CA is a server. A machine that is not a server, or on which an agent
has run, is a node. Exits with 0 if no problems are found, with 1 for warnings, or with 2 for errors.`,
  usage: '[checks...]',
  options: [
    {
      flags: '--role <role>',
      doc: 'Role of this machine: server, agent or both. Default: the roles that are detected.',
      choices: ['server', 'agent', 'both'],
    },
    {
      flags: '--secrets <file>',
      doc: 'Also search for the secrets in this file, one per line; - for standard input.',
    },
    renderAs,
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    for (const name of args) if (!names.includes(name)) throwIssue(issues.UNKNOWN_CHECK, { name })
    const secretSearch = await readSecretSearch(args, options.secrets, io)
    const installation = { ...(await findInstallation(invocation.settings, options.role)), secretSearch }
    const wanted = checks.filter(({ name }) => args.length === 0 || args.includes(name))
    const isJson = options.renderAs === 'json'
    const findings = await runChecks(installation, wanted, ({ name }) => {
      if (io.errTerminal && !isJson) io.err(`\r\u001b[K${name} …`)
    })
    if (io.errTerminal && !isJson) io.err('\r\u001b[K')
    const roles = [...(installation.server ? ['server'] : []), ...(installation.agent ? ['agent'] : [])]
    if (isJson) {
      const details = await describeChecks(installation, wanted)
      const report = { roles, checks: wanted.map(({ name }) => name), findings }
      io.out(`${JSON.stringify({ ...report, ...(Object.keys(details).length > 0 && { details }) }, null, 2)}\n`)
    } else printFindings(findings, { io, roles, count: wanted.length })
    return getExitStatus(findings)
  },
})

/** The exit status: 0 without findings, 1 for warnings, 2 for errors. */
function getExitStatus(findings: readonly DoctorFinding[]): number {
  if (findings.some(({ severity }) => severity === 'error')) return 2
  return findings.length > 0 ? 1 : 0
}

interface Shown {
  readonly io: CommandInvocation['io']
  readonly roles: readonly string[]
  readonly count: number
}

function printFindings(findings: readonly DoctorFinding[], { io, roles, count }: Shown): void {
  for (const { check, severity, what, why, fix } of findings) {
    const word = severity === 'error' ? 'Error' : 'Warning'
    io.out(`${io.color ? `${colors[severity]}${word}\u001b[0m` : word}: ${toPrintable(what)}\n`)
    io.out(`  why: ${toPrintable(why)}\n  fix: ${toPrintable(fix)}\n  (${check})\n`)
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const checked = `${formatQuantity(count, 'check')} of this ${roles.join(' and ')}`
  const verdict =
    findings.length === 0
      ? 'no problems found'
      : `${formatQuantity(errors, 'error')}, ${formatQuantity(findings.length - errors, 'warning')}`
  io.out(`${checked}: ${verdict}\n`)
}

/** Reads the option --secrets. Throws SECRETS_UNUSED, and the errors of `parseSecretLines`. */
async function readSecretSearch(
  wanted: readonly string[],
  file: string | undefined,
  { stdin }: Pick<CommandInvocation['io'], 'stdin'>,
): Promise<SecretSearch> {
  const isNamed = wanted.includes('secrets')
  if (file === undefined) return { secrets: [], file, isComplete: isNamed }
  if (wanted.length > 0 && !isNamed) throwIssue(issues.SECRETS_UNUSED, {})
  if (file === '-') return { secrets: await readSecrets(stdin, 'standard input'), file: undefined, isComplete: true }
  return { secrets: await readSecrets(createReadStream(file), file), file, isComplete: true }
}

async function findInstallation(
  given: Readonly<Record<string, string>>,
  role: 'server' | 'agent' | 'both' | undefined,
): Promise<Omit<Installation, 'secretSearch'>> {
  const source = { given }
  const server = checkSettings({ given, runMode: 'server' }).settings
  const agent = checkSettings({ given, runMode: 'agent' }).settings
  const isServer = role === undefined ? await isServerHost(server) : role !== 'agent'
  const isAgent = role === undefined ? !isServer || (await isAgentHost(agent)) : role !== 'server'
  return {
    server: isServer ? server : undefined,
    agent: isAgent ? agent : undefined,
    source,
    system: localSystem,
  }
}

async function isServerHost({ code_repo, environmentpath, cadir, server_config }: Settings): Promise<boolean> {
  if (code_repo !== '') return true
  const signs = [getCaLayout(cadir).certificate, server_config, ...environmentpath].filter((path) => path !== '')
  for (const path of signs) if ((await localSystem.files.stat(path)) !== undefined) return true
  return false
}

async function isAgentHost({ lastrunfile, agent_disabled_lockfile, pidfile }: Settings): Promise<boolean> {
  for (const path of [lastrunfile, agent_disabled_lockfile, pidfile])
    if ((await localSystem.files.stat(path)) !== undefined) return true
  return false
}
