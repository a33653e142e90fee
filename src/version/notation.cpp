#include "version/notation.hpp"

#include "base/bug.hpp"

namespace vmatrix::version {

const Notation& notation(Scheme scheme) {
    switch (scheme) {
        case Scheme::pep440: return pep440::notation;
        case Scheme::dotted: return dotted::notation;
        case Scheme::opaque: return opaque::notation;
    }
    throw base::Bug("unknown scheme");
}

}  // namespace vmatrix::version
