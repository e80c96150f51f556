"""One module a version; they are never changed once a store may have them."""
