function logic::c() {}
