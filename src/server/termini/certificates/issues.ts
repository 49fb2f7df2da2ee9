import { defineIssues } from '../../../base/issue.ts'

/** Errors of certificate termini. */
export const certificateIssues = defineIssues({
  NO_AUTHORITY_HERE: {
    text: (a: { indirection: string }) => `The ca terminus of ${a.indirection} requires a CA on this server`,
    hint: () => "In routes.yaml, use 'rest' to query the CA at ca_server, or 'file' to serve the files of this server.",
  },
  NO_REQUEST_WAITS: { text: (a: { name: string }) => `Could not find certificate_request ${a.name}` },
})
