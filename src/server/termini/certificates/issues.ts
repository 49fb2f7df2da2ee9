import { defineIssues } from '../../../base/issue.ts'

/** Errors of certificate termini. */
export const certificateIssues = defineIssues({
  NO_AUTHORITY_HERE: {
    text: (a: { indirection: string }) =>
      `The ca terminus of ${a.indirection} needs an authority, and this server has none`,
    hint: () => "In routes.yaml, 'rest' asks the authority of ca_server, and 'file' serves the files of this server.",
  },
  NO_REQUEST_WAITS: { text: (a: { name: string }) => `Could not find certificate_request ${a.name}` },
})
