import { formatDiagnosticLine, hasIssueCode } from '../../../base/issue.ts'
import { parseHieraConfig } from '../../../compiler/hiera/config.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import {
  findInstalledPuppetVersion,
  hasPuppet7Defaults,
  puppet7Defaults,
} from '../../../machine/settings/puppet7-defaults.ts'
import { serverConfIssues } from '../../../machine/settings/server-conf/read-server-conf.ts'
import {
  checkSettings,
  getSettingOrigins,
  listServerConfWarnings,
  listSettingsWarnings,
} from '../../../machine/settings/settings.ts'
import { parseRoutes } from '../../../model/indirector/routes.ts'
import { readAuthConf, readExtensionNames } from '../../../server/auth/auth-files.ts'
import { listDeniedEndpoints } from '../../../server/auth/denied-endpoints.ts'
import { findUnknownNames } from '../../../server/termini/plug-ins/unknown-plug-ins.ts'
import { type DoctorFinding, defineFaults } from '../finding.ts'
import type { Check, Installation } from '../installation.ts'

const faults = defineFaults('configuration', {
  SETTING_UNKNOWN: {
    severity: 'warning',
    what: (a: { message: string; hint: string | undefined }) => a.message,
    why: 'The setting has no effect.',
    fix: (a) => a.hint ?? "'plumb config explain' lists the settings.",
  },
  SETTING_INVALID: {
    severity: 'error',
    what: (a: { message: string; hint: string | undefined }) => a.message,
    why: 'Commands and servers that read this setting do not start.',
    fix: (a) => a.hint ?? "'plumb config explain' lists the settings.",
  },
  SETTING_WITHOUT_EFFECT: {
    severity: 'warning',
    what: (a: { message: string; hint: string | undefined }) => a.message,
    why: 'The setting is for Puppet Server, and has no effect here.',
    fix: (a) => a.hint ?? 'Remove the line if no Puppet Server uses it.',
  },
  AUTH_CONF_BROKEN: {
    severity: 'error',
    what: (a: { why: string }) => a.why,
    why: 'The server cannot start; a running server keeps its old rules.',
    fix: () => "Correct the file, and check it with 'plumb server auth list'.",
  },
  AUTH_ENDPOINT_DENIED: {
    severity: 'warning',
    what: (a: { path: string; reason: string }) => `auth.conf denies all requests to ${a.path}: ${a.reason}`,
    why: 'Requests of agents, browsers, query clients, metrics, OCSP or Git fail with status 403.',
    fix: () =>
      "Set auth_default_rules to true, or add the rule that 'plumb config auth --defaults' prints to auth.conf.",
  },
  FILE_BROKEN: {
    severity: 'error',
    what: (a: { file: string; why: string }) => `${a.file} cannot be read: ${a.why}`,
    why: 'Commands that read the file fail.',
    fix: (a) => `Correct ${a.file}.`,
  },
  DEFAULTS_CHANGED: {
    severity: 'warning',
    what: (a: { version: string | undefined; settings: readonly (readonly [string, string])[] }) =>
      `The configuration is that of a Puppet Server of version ${a.version ?? 'unknown'}, and puppet.conf does not set ${a.settings.map(([name, old]) => `${name} (${old} with Puppet 7)`).join(', ')}`,
    why: 'Puppet 8 changed these defaults: code that compiles with the Puppet Server may fail here.',
    fix: ({ settings: [[name, old] = ['', '']] }) =>
      `Keep each old value, such as with 'plumb config set ${name} ${old} --section main', or set the value of Puppet 8.`,
  },
  AUTOSIGN_ALL: {
    severity: 'warning',
    what: (a: { where: string }) => `Every certificate request is signed automatically: ${a.where}`,
    why: 'Any machine that can reach the port can obtain a certificate for any unused name.',
    fix: () =>
      "Run 'plumb config set autosign false --section server', or set autosign to a file of names or to a program.",
  },
})

/** Checks the settings, and the configuration files that they name. */
export const configurationCheck: Check = {
  name: 'configuration',
  doc: 'unknown, invalid and ineffective settings, auth.conf, routes.yaml, hiera.yaml, autosign',
  async run(installation) {
    const { server, source } = installation
    const findings: DoctorFinding[] = listSettingsWarnings(source).map((each) =>
      faults.SETTING_UNKNOWN({ message: formatDiagnosticLine(each), hint: each.hint }),
    )
    findings.push(...(await listInvalidSettings(installation)))
    if (!server) return findings
    for (const remark of listServerConfWarnings(source)) {
      const a = { message: formatDiagnosticLine(remark), hint: remark.hint }
      const isUnknown = hasIssueCode(remark, serverConfIssues.SERVER_CONF_UNKNOWN)
      findings.push(isUnknown ? faults.SETTING_UNKNOWN(a) : faults.SETTING_WITHOUT_EFFECT(a))
    }
    findings.push(...(await checkDefaults(installation)))
    return [...findings, ...(await checkConfigurationFiles(installation)), ...(await checkAutosign(installation))]
  },
}

/** Reports changed defaults if the directories of a Puppet Server are used in place. A migration writes the old defaults. */
async function checkDefaults({ server, source }: Installation): Promise<DoctorFinding[]> {
  const confD = server?.server_config ?? ''
  if (confD === '') return []
  const version = await findInstalledPuppetVersion(confD)
  const origins = getSettingOrigins({ ...source, runMode: 'server' })
  const settings = [...puppet7Defaults].filter(([name]) => origins[name] === 'default')
  return hasPuppet7Defaults(version) && settings.length > 0 ? [faults.DEFAULTS_CHANGED({ version, settings })] : []
}

/** Invalid values, and names of termini and report processors that do not exist, without duplicates. */
async function listInvalidSettings({ server, agent, source, system }: Installation): Promise<DoctorFinding[]> {
  const modes = [...(server ? (['server'] as const) : []), ...(agent ? (['agent'] as const) : [])]
  const errors = modes.flatMap((runMode) => checkSettings({ ...source, runMode }).errors)
  const unknown = server ? await findUnknownNames(server, server.server_plugins, system.files) : []
  const all = new Map([...errors, ...unknown].map((each) => [formatDiagnosticLine(each), each]))
  return [...all.values()].map((each) =>
    faults.SETTING_INVALID({ message: formatDiagnosticLine(each), hint: each.hint }),
  )
}

async function checkConfigurationFiles({ server, system }: Installation): Promise<DoctorFinding[]> {
  if (!server) return []
  const findings: DoctorFinding[] = []
  const parts = { settings: server, system }
  try {
    const { rules } = await readAuthConf(parts)
    for (const denied of listDeniedEndpoints(rules)) findings.push(faults.AUTH_ENDPOINT_DENIED(denied))
  } catch (error) {
    findings.push(faults.AUTH_CONF_BROKEN({ why: formatError(error) }))
  }
  await readExtensionNames(parts).catch((error: unknown) =>
    findings.push(faults.FILE_BROKEN({ file: server.trusted_oid_mapping_file, why: formatError(error) })),
  )
  const readers: [string, (text: string, file: string) => unknown][] = [
    [server.route_file, (text, file) => parseRoutes(text, file, 'server', 'master')],
    [server.hiera_config, (text, file) => parseHieraConfig(text, file, 'global')],
  ]
  for (const [file, read] of readers)
    try {
      const text = await system.files.readText(file)
      if (text !== undefined) read(text, file)
    } catch (error) {
      findings.push(faults.FILE_BROKEN({ file, why: formatError(error) }))
    }
  return findings
}

async function checkAutosign({ server, system }: Installation): Promise<DoctorFinding[]> {
  const autosign = server?.autosign ?? ''
  if (autosign === 'true') return [faults.AUTOSIGN_ALL({ where: 'autosign = true' })]
  const stat = autosign.startsWith('/') ? await system.files.stat(autosign) : undefined
  if (stat?.kind !== 'file' || (stat.mode & 0o111) !== 0) return []
  const lines = ((await system.files.readText(autosign)) ?? '').split('\n').map((line) => line.trim())
  return lines.includes('*') ? [faults.AUTOSIGN_ALL({ where: `${autosign} contains *` })] : []
}
