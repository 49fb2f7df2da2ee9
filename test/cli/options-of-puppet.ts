/**
 * Applications and actions of Puppet with their own options, recorded from the option parsers of Puppet 7.23.0 (Debian) and
 * 8.11.0, joined. Every application also has --help, -h, --version, -V, and every setting as an option.
 */
export const optionsOfPuppet: readonly string[] = `
agent: --disable --enable --debug -d --fqdn -f --test -t --verbose -v --fingerprint --digest --sourceaddress --detailed-exitcodes --logdest -l --waitforcert -w --job-id
apply: --debug -d --execute -e --loadclasses -L --test -t --verbose -v --use-nodes --detailed-exitcodes --write-catalog-summary --catalog -c --logdest -l --parseonly
catalog apply: --terminus --extra
catalog compile: --terminus --extra
catalog download: --terminus --extra
catalog find: --terminus --extra --facts_for_catalog
catalog info: --terminus --extra
catalog save: --terminus --extra
catalog select: --terminus --extra
config delete: --section
config print: --section
config set: --section
describe: --short -s --providers -p --list -l --meta -m
device: --centrallogging --debug -d --resource -r --facts -f --to_yaml -y --verbose -v --detailed-exitcodes --libdir --apply --logdest -l --waitforcert -w --port -p --target -t
doc: --all -a --outputdir -o --verbose -v --debug -d --charset --format -f --mode -m --list -l --reference -r
epp dump: --e --[no-]validate --format --pretty --[no-]header
epp render: --node --e --values --values_file --facts --[no-]header
epp validate: --[no-]continue_on_error
facts find: --terminus --extra
facts info: --terminus --extra
facts save: --terminus --extra
facts show: --terminus --extra --config-file --custom-dir --external-dir --no-block --no-cache --show-legacy --value-only --timing
facts upload: --terminus --extra
filebucket: --bucket -b --debug -d --fromdate -f --todate -t --local -l --remote -r --verbose -v
generate types: --format --force
help help: --version --ronn
lookup: --merge --debug -d --verbose -v --render-as --type --compile -c --knock-out-prefix --sort-merged-arrays --merge-hash-arrays --explain --explain-options --default --trusted --node --facts
module changes:
module install: --force -f --target-dir -i --ignore-dependencies --version -v
module list: --tree
module uninstall: --force -f --ignore-changes -c --version
module upgrade: --force -f --ignore-dependencies --ignore-changes -c --version
node clean: --terminus --extra
node deactivate: --terminus --extra
node find: --terminus --extra
node info: --terminus --extra
node status: --terminus --extra
parser dump: --e --[no-]validate --format --pretty
parser validate:
plugin download:
report info: --terminus --extra
report save: --terminus --extra
report submit: --terminus --extra
resource: --debug -d --verbose -v --edit -e --to_yaml -y --types -t --param -p --fail -f
script: --debug -d --execute -e --test -t --verbose -v --logdest -l
ssl: --target --localca --verbose -v --debug -d
`
  .trim()
  .split('\n')
