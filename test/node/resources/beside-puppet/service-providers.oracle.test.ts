import { applyBoth, liveAnswers } from './apply-both.ts'

applyBoth(liveAnswers, "providers of Debian's modules for services", ['swift', 'openstack_extras', 'stdlib'], {
  'by swift-init, and by pacemaker where that is not': {
    manifest: `
      file { '@/conf': content => 'x' }
      service { 'swift-object-server':
        ensure => running, provider => swiftinit, manifest => 'object-server.conf', pattern => 'swift-object', subscribe => File['@/conf'] }
      service { 'swift-container-sync': ensure => stopped, provider => swiftinit, manifest => 'sync.conf', pattern => 'swift-sync' }
      service { 'p_cluster': ensure => running, provider => pacemaker }`,
    files: { 'container-sync.sync': '' },
    programs: {
      'swift-init': 'case "$2" in status) test -e "$f/$1";; start) touch "$f/$1";; shutdown) rm "$f/$1";; esac',
      systemctl: 'true',
    },
  },
})
