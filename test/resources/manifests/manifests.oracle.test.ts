import { applyBoth, liveAnswers } from '../beside-puppet/apply-both.ts'
import { ofModules } from './rest.ts'

applyBoth(liveAnswers, 'manifests of modules', ['stdlib', 'concat', 'inifile'], ofModules)
