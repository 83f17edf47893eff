//! Literals of HCL.
