import { applyBoth, liveAnswers } from '../beside-puppet/apply-both.ts'
import { ofModules } from './rest.ts'

applyBoth(
  liveAnswers,
  'manifests of modules',
  ['augeas_core', 'selinux_core', 'stdlib', 'concat', 'inifile'],
  ofModules,
)
