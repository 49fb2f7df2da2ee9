import { defineIssues } from '../../base/issue.ts'

/** Why certificates do not come from where the routes say. */
export const certificateIssues = defineIssues({
  NO_AUTHORITY_HERE: {
    text: (a: { indirection: string }) =>
      `The ca terminus of ${a.indirection} needs an authority, and this server has none`,
    hint: () => "In routes.yaml, 'rest' asks the authority of ca_server, and 'file' serves the files of this server.",
  },
  NO_REQUEST_WAITS: { text: (a: { name: string }) => `Could not find certificate_request ${a.name}` },
  AUTHORITY_IS_THIS_SERVER: {
    text: (a: { address: string }) => `The rest terminus of certificates would ask this server itself: ${a.address}`,
    hint: () => 'The setting ca_server has to name the server that signs.',
  },
})

/** Why an authority elsewhere cannot be asked now. */
export const remoteIssues = defineIssues({
  AUTHORITY_AWAY: {
    text: (a: { address: string; why: string }) => `The certificate authority ${a.address} cannot be asked: ${a.why}`,
  },
  AUTHORITY_OVERLOADED: {
    text: (a: { address: string }) =>
      `The certificate authority ${a.address} has too much to do. Please try again later.`,
  },
})
