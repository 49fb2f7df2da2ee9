import { agent } from './agent.ts'
import { ca } from './ca.ts'
import { codeSources } from './code-sources.ts'
import { core } from './core.ts'
import { gate } from './gate.ts'
import { ldap } from './ldap.ts'
import { modules } from './modules.ts'
import { outside } from './outside.ts'
import { puppetfile } from './puppetfile.ts'
import { server } from './server.ts'
import { ssl } from './ssl.ts'
import { telemetry } from './telemetry.ts'
import { unused } from './unused.ts'

/** All settings by name. Command-line options, `config print` and docs/settings.md are generated from this table. */
export const definitions = {
  ...core,
  ...ssl,
  ...ca,
  ...server,
  ...codeSources,
  ...puppetfile,
  ...modules,
  ...gate,
  ...outside,
  ...ldap,
  ...telemetry,
  ...agent,
  ...unused,
} as const
