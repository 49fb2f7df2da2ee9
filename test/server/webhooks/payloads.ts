/** Headers and body of a webhook. */
export interface Payload {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/**
 * Webhooks as the documentation of each Git host shows them, shortened to a repository and a ref. GitHub: "Webhook events and
 * payloads". GitLab: "Webhook events". Gitea: "Webhooks". Bitbucket Cloud: "Event payloads"; Data Center: "Event payload".
 */
export const payloads = {
  github: {
    headers: { 'x-github-event': 'push', 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' },
    body: {
      ref: 'refs/heads/production',
      before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      after: '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c',
      repository: {
        id: 186853002,
        name: 'control',
        full_name: 'puppet/control',
        private: true,
        html_url: 'https://github.example/puppet/control',
        git_url: 'git://github.example/puppet/control.git',
        ssh_url: 'git@github.example:puppet/control.git',
        clone_url: 'https://github.example/puppet/control.git',
      },
      pusher: { name: 'anna', email: 'anna@example.com' },
    },
  },
  gitlab: {
    headers: { 'x-gitlab-event': 'Push Hook', 'x-gitlab-event-uuid': '13792a34-cac6-4fda-95a8-c58e00a3954e' },
    body: {
      object_kind: 'push',
      event_name: 'push',
      ref: 'refs/heads/production',
      checkout_sha: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
      project: {
        id: 15,
        name: 'Control',
        web_url: 'http://gitlab.example/puppet/control',
        git_ssh_url: 'git@gitlab.example:puppet/control.git',
        git_http_url: 'http://gitlab.example/puppet/control.git',
        path_with_namespace: 'puppet/control',
      },
      total_commits_count: 4,
    },
  },
  gitea: {
    headers: { 'x-gitea-event': 'push', 'x-gitea-delivery': 'f6266f16-1bf3-46a5-9ea4-602e06ead473' },
    body: {
      ref: 'refs/heads/develop',
      before: '28e1879d029cb852e4844d9c718537df08844e03',
      after: 'bffeb74224043ba2feb48d137756c8a9331c449a',
      repository: {
        id: 140,
        full_name: 'puppet/control',
        html_url: 'http://localhost:3000/puppet/control',
        ssh_url: 'ssh://gitea@localhost:2222/puppet/control.git',
        clone_url: 'http://localhost:3000/puppet/control.git',
      },
    },
  },
  'bitbucket (Cloud)': {
    headers: { 'x-event-key': 'repo:push', 'x-request-id': '5f2b7d8e-d7a5-4e1f-8f0e-0c7d7f2d6f3b' },
    body: {
      push: { changes: [{ new: { type: 'branch', name: 'production' } }] },
      repository: {
        type: 'repository',
        full_name: 'puppet/control',
        links: { html: { href: 'https://bitbucket.org/puppet/control' } },
      },
    },
  },
  'bitbucket (Data Center)': {
    headers: { 'x-event-key': 'repo:refs_changed', 'x-request-id': 'e3b2e8c6-9d7c-4c8c-9b0a-7c1d5f2a3b4c' },
    body: {
      eventKey: 'repo:refs_changed',
      date: '2017-09-19T09:58:11+1000',
      repository: {
        slug: 'control',
        id: 84,
        project: { key: 'PUPPET', id: 84, name: 'puppet' },
        links: {
          clone: [
            { href: 'ssh://git@bitbucket.example:7999/puppet/control.git', name: 'ssh' },
            { href: 'https://bitbucket.example/scm/puppet/control.git', name: 'http' },
          ],
        },
      },
      changes: [{ ref: { id: 'refs/heads/master', displayId: 'master', type: 'BRANCH' }, type: 'UPDATE' }],
    },
  },
} as const satisfies Readonly<Record<string, Payload>>
