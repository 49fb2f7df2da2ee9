import { openWebhooks } from '../webhooks/open-webhooks.ts'
import { code } from './code.ts'
import { listening } from './http.ts'
import { part } from './part.ts'
import { telemetry } from './telemetry.ts'

/** The port of `webhook_port`. */
export const webhooks = part(
  'webhooks',
  [telemetry, code, listening],
  async ({ settings, system: { files }, log, telemetry, code: { sources } }) => {
    const webhooks = await openWebhooks({ settings, sources, files, log, figures: telemetry.sources })
    return { reload: webhooks, close: () => webhooks.close() }
  },
)
