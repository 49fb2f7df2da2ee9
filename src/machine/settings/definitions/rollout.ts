import { defineFile, defineWords } from '../kinds.ts'

/** Settings of rollouts, which give a commit to the nodes of an environment in waves. */
export const rolloutSettings = {
  default_rollout: defineFile({
    live: true,
    doc: 'File with the plan of rollouts for environments without a rollout.yaml, in the same format. Default: none; a commit is served to all nodes at once.',
  }),
  rollout_hosts: defineWords({
    live: true,
    takes: 'host names and globs',
    doc: 'Hosts to which the health checks of a rollout may send requests, such as `prometheus.example.com` or `*.example.com`. Add :PORT for a port other than 80 (http) or 443 (https).',
  }),
  rollout_webhooks: defineWords({
    live: true,
    takes: 'URLs',
    doc: 'URLs to which the server posts each step of a rollout as JSON, such as the start of a wave or a halt.',
  }),
  rollout_webhook_secret: defineFile({
    live: true,
    doc: 'File with a secret, with mode 0600. If set, the header `X-Plumb-Signature-256` of a webhook contains the HMAC-SHA-256 of its body.',
  }),
} as const
