import { agentSettings } from './agent.ts'
import { caSettings } from './ca.ts'
import { codeSourceSettings } from './code-sources.ts'
import { coreSettings } from './core.ts'
import { gateSettings } from './gate.ts'
import { ldapSettings } from './ldap.ts'
import { moduleSettings } from './modules.ts'
import { outsideSettings } from './outside.ts'
import { puppetfileSettings } from './puppetfile.ts'
import { rolloutSettings } from './rollout.ts'
import { serverSettings } from './server.ts'
import { sslSettings } from './ssl.ts'
import { telemetrySettings } from './telemetry.ts'
import { unusedSettings } from './unused.ts'

/** All settings by name. Command-line options, `config print` and docs/settings.md are generated from this table. */
export const settingDefinitions = {
  ...coreSettings,
  ...sslSettings,
  ...caSettings,
  ...serverSettings,
  ...codeSourceSettings,
  ...puppetfileSettings,
  ...moduleSettings,
  ...gateSettings,
  ...rolloutSettings,
  ...outsideSettings,
  ...ldapSettings,
  ...telemetrySettings,
  ...agentSettings,
  ...unusedSettings,
} as const
