/** Version of the CRuby that runs code of modules. */
export const rubyVersion = '3.4.1'

/** Version of the RubyGems that belongs to this Ruby. */
export const rubygemsVersion = '3.6.2'
