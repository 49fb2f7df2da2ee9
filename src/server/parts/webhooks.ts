import { openWebhooks } from '../webhooks/webhook-server.ts'
import { codePart } from './code.ts'
import { listeningPart } from './http.ts'
import { definePart } from './part.ts'
import { telemetryPart } from './telemetry.ts'

/** The port of `webhook_port`. */
export const webhooksPart = definePart(
  'webhooks',
  [telemetryPart, codePart, listeningPart],
  async ({ settings, system: { files }, log, telemetry, code: { sources } }) => {
    const webhooks = await openWebhooks({ settings, sources, files, log, figures: telemetry.sources })
    return { reload: webhooks, close: () => webhooks.close() }
  },
)
