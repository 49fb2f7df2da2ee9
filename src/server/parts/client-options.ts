import { puppetVersion } from '../../base/puppet-version.ts'
import type { HttpOptions } from '../https/http.ts'
import { Admission } from '../https/request-limits.ts'
import { identityPart } from './identity.ts'
import { definePart } from './part.ts'
import { telemetryPart } from './telemetry.ts'

/** HTTP options of every port for clients with certificates: the same identity, rules, limits and observers. */
export const clientsPart = definePart(
  'clients',
  [telemetryPart, identityPart],
  ({ settings, log, telemetry, identity }) => ({
    value: {
      tls: identity.tls,
      log,
      puppetVersion,
      rules: () => identity.rules(),
      admission: new Admission(settings),
      identify: (request) => identity.identify(request),
      observers: telemetry.observers,
    } satisfies HttpOptions,
  }),
)
