

class last {
  include foo }