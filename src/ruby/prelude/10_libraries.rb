module Plumb
  # Folders of the load path that contain code of modules.
  def self.module_folders = $LOAD_PATH.reject { |path| "#{path}/".start_with?(*OWN_FOLDERS) }
end

# Libraries that modules of Puppet use most often, loaded once for all of them.
%w[
  json erb set time date digest digest/md5 digest/sha1 digest/sha2 ipaddr stringio strscan uri pathname forwardable
  delegate securerandom shellwords yaml base64 singleton ostruct tempfile fileutils cgi openssl monitor timeout open3
].each { |library| require library }

$stdout.sync = true
