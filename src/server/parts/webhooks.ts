import { openWebhooks } from '../webhooks/webhook-server.ts'
import { codePart } from './code.ts'
import { reviewsPart } from './gate/reviews.ts'
import { listeningPart } from './http.ts'
import { definePart } from './part.ts'
import { telemetryPart } from './telemetry.ts'

/** The port of `webhook_port`. */
export const webhooksPart = definePart(
  'webhooks',
  [telemetryPart, codePart, listeningPart, reviewsPart],
  async ({ settings, system: { files }, log, telemetry, reviews, code: { sources } }) => {
    const webhooks = await openWebhooks({ settings, sources, reviews, files, log, figures: telemetry.sources })
    return { reload: webhooks, close: () => webhooks.close() }
  },
)
